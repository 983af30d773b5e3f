"""Where `file_not_found` must speak, and where it must stay silent."""

import os


def propose_a_missing_file():
    name = "no_such_file_of_ours.txt"
    with open(name) as file:
        return file.read()


def propose_a_missing_folder():
    return os.listdir("no_such_folder_of_ours")


def silent_another_error_of_the_system():
    raise OSError("disk full")


def silent_a_wrong_mode():
    return open("no_such_file_of_ours.txt", "q")
