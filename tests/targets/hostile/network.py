"""Targets that try to reach other machines, or other programs on this one."""

import os
import socket


def tcp(tcp_port):
    socket.create_connection(("127.0.0.1", tcp_port), 2).close()
    return "done"


def udp(udp_port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"hello", ("127.0.0.1", udp_port))
    return "done"


def look_up():
    return str(bool(socket.getaddrinfo("nsdbg.invalid", 80)))


def local_stream(place):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.path.join(place, "stream"))
    return "done"


def local_datagram(place):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(b"hello", os.path.join(place, "datagram"))
    return "done"


def datagram_of_a_pair(place):
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"hello", os.path.join(place, "datagram"))
    return "done"
