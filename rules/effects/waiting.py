"""Where `waiting` must speak, and where it must stay silent."""

import threading
import time


def propose_a_pause():
    time.sleep(0)


def propose_a_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def silent_no_wait():
    return time.struct_time(range(9))
