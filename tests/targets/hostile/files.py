"""Targets that try to change or read files outside the scratch folder, through Python."""

import os


def write(place):
    with open(os.path.join(place, "new"), "w") as file:
        file.write("written")
    return "done"


def append(place):
    with open(os.path.join(place, "keep"), "a") as file:
        file.write("more")
    return "done"


def truncate(place):
    os.truncate(os.path.join(place, "keep"), 0)
    return "done"


def empty_by_reading(place):
    os.close(os.open(os.path.join(place, "keep"), os.O_RDONLY | os.O_TRUNC))
    return "done"


def delete(place):
    os.remove(os.path.join(place, "keep"))
    return "done"


def rename(place):
    os.rename(os.path.join(place, "keep"), os.path.join(place, "moved"))
    return "done"


def change_mode(place):
    os.chmod(os.path.join(place, "keep"), 0o777)
    return "done"


def change_owner(place):
    # To the owner it has, which a user may do to a file of one's own, and which takes set-user
    # bits away.
    path = os.path.join(place, "keep")
    os.chown(path, os.stat(path).st_uid, os.stat(path).st_gid)
    return "done"


def change_time(place):
    os.utime(os.path.join(place, "keep"), (1, 1))
    return "done"


def change_attribute(place):
    os.setxattr(os.path.join(place, "keep"), "user.hostile", b"1")
    return "done"


def symbolic_link(place):
    os.symlink("/etc/passwd", os.path.join(place, "link"))
    return "done"


def hard_link(place):
    os.link(os.path.join(place, "keep"), os.path.join(place, "second"))
    return "done"


def make_folder(place):
    os.mkdir(os.path.join(place, "folder"))
    return "done"


def remove_folder(place):
    os.rmdir(os.path.join(place, "empty"))
    return "done"


def make_fifo(place):
    os.mkfifo(os.path.join(place, "fifo"))
    return "done"


def write_through_link(place):
    os.symlink(place, "way-out")
    with open("way-out/new", "w") as file:
        file.write("written")
    return "done"


def write_through_descriptor(place):
    folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    file = os.open("new", os.O_WRONLY | os.O_CREAT, dir_fd=folder)
    os.write(file, b"written")
    return "done"


def database(place):
    import sqlite3

    connection = sqlite3.connect(os.path.join(place, "new.db"))
    connection.execute("create table t (x)")
    connection.commit()
    return "done"


def read(place):
    with open(os.path.join(place, "secret")) as file:
        return file.read()


def list_folder(place):
    return str(sorted(os.listdir(place)))


def swallow(place):
    try:
        with open(os.path.join(place, "new"), "w") as file:
            file.write("written")
    except BaseException:
        pass
    return "done"
