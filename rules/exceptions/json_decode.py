"""Where `json_decode` must speak, and where it must stay silent."""

import json


def propose_an_empty_text():
    body = ""
    return json.loads(body)


def propose_single_quotes():
    body = "{'peg': 3}"
    return json.loads(body)


def propose_two_values():
    return json.loads("1 2")


def propose_a_cut_text():
    return json.loads('{"peg": [1, ')


def silent_json():
    return json.loads('{"peg": 3}')


def silent_a_wrong_type():
    return json.loads(None)
