"""Where `network` must speak, and where it must stay silent."""

import socket
from urllib.parse import quote
from urllib.request import urlopen


def propose_a_connection():
    return socket.create_connection(("127.0.0.1", 9), 0.1)


def propose_a_download():
    return urlopen("http://127.0.0.1:9/")


def silent_an_address_as_text():
    return quote("a b")
