"""Where `identity` must speak, and where it must stay silent."""


def propose_an_address():
    return id([])


def propose_a_hash():
    return hash("peg")


def silent_a_key_of_that_name():
    return {"id": 3}["id"]


def silent_a_local_of_that_name():
    id = 3
    return id
