"""Targets that pass the audit hook by, through the C library, or disarm it."""

import ctypes
import gc
import os
import signal
import socket
import struct
import sys


def _libc():
    return ctypes.CDLL(None, use_errno=True)


def _done(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return "done"


def write(place):
    path = os.fsencode(os.path.join(place, "new"))
    return _done(_libc().open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def change_mode(place):
    return _done(_libc().chmod(os.fsencode(os.path.join(place, "keep")), 0o777))


def udp(udp_port):
    libc = _libc()
    line = libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0)
    _done(line)
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H", udp_port)
    address += socket.inet_aton("127.0.0.1") + bytes(8)
    return _done(libc.sendto(line, b"hello", 5, 0, address, len(address)))


def kill_another(pid):
    return _done(_libc().kill(pid, signal.SIGKILL))


def read_memory(pid):
    # PTRACE_ATTACH, then let it go.
    libc = _libc()
    _done(libc.ptrace(16, pid, None, None))
    os.waitpid(pid, 0)
    return _done(libc.ptrace(17, pid, None, None))


def run_shell():
    return "done" if _libc().system(b"true") == 0 else "not run"


def queue_work():
    # io_uring_setup(8, &params): the door behind which no filter sees a file being opened.
    return _done(_libc().syscall(425, 8, ctypes.create_string_buffer(120)))


def open_by_handle(place):
    # The way around folders that may not be searched, for who may read everything.
    libc = _libc()
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128), 136)
    mount = ctypes.c_int()
    path = os.fsencode(os.path.join(place, "secret"))
    _done(libc.name_to_handle_at(-100, path, handle, ctypes.byref(mount), 0))
    folder = os.open("/usr", os.O_RDONLY)
    opened = libc.open_by_handle_at(folder, handle, os.O_RDONLY)
    _done(opened)
    return os.read(opened, 100).decode()


def share_memory():
    # What it makes outlives the process, and it finds what others of the same user have made.
    libc = _libc()
    segment = libc.shmget(0, 4096, 0o1600)
    _done(segment)
    return _done(libc.shmctl(segment, 0, None))


def new_namespace():
    # CLONE_NEWUSER: to be root somewhere, with more of the kernel in reach.
    return _done(_libc().unshare(0x10000000))


def other_numbers(place):
    # mkdir by its x32 number, where a filter for the plain numbers would not see it.
    path = os.fsencode(os.path.join(place, "folder"))
    return _done(_libc().syscall(0x40000000 + 83, path, 0o755))


def disarm(place):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Hook":
            type(thing).__call__ = lambda *arguments: None
            thing._special = {}
            thing._permits = ()
            thing._writable = ("/",)
    sys.addaudithook(lambda *arguments: None)
    with open(os.path.join(place, "new"), "w") as file:
        file.write("written")
    return "done"
