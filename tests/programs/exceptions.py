"""Exceptions: caught here, caught above, raised again, chained, swallowed by a return."""


def risky(n):
    if n == 1:
        raise ValueError("one")
    if n == 2:
        return {}["two"]
    return n


def middle(n):
    try:
        return risky(n)
    except ValueError as error:
        raise RuntimeError("middle") from error


def again(n):
    try:
        risky(n)
    except KeyError:
        raise


def swallow():
    for n in range(3):
        try:
            risky(1)
        except ValueError:
            continue
        finally:
            if n == 1:
                return n
    return -1


def run():
    found = []
    for n in range(3):
        try:
            found.append(middle(n))
        except RuntimeError as error:
            found.append(str(error))
        except KeyError:
            found.append("key")
        else:
            found.append("fine")
    try:
        again(2)
    except LookupError:
        found.append("again")
    found.append(swallow())
    return found
