"""`finally` and `with`: on the way out by return, by exception, by break, and by falling off."""


class Room:
    def __init__(self, log, name, forgiving):
        self.log = log
        self.name = name
        self.forgiving = forgiving

    def __enter__(self):
        self.log.append("enter " + self.name)
        return self.name

    def __exit__(self, kind, value, traceback):
        self.log.append("leave " + self.name)
        return self.forgiving


def leave_by_return(log):
    try:
        return len(log)
    finally:
        log.append("finally")


def leave_by_break(log):
    for n in range(5):
        with Room(log, str(n), False) as name:
            if name == "1":
                break
            log.append(name)
    return n


def run():
    log = []
    size = leave_by_return(log)
    with Room(log, "outer", True), Room(log, "inner", False) as inner:
        size += 1
        size = 1 // (size - 1)
    last = leave_by_break(log)
    try:
        try:
            size = 10 // 2
        finally:
            size += 1
    except ZeroDivisionError:
        size = -1
    return size, last, inner, log
