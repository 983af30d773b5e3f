"""What runs in the target's interpreter: standard library only, Python 3.8 and newer.

The parent imports only `values` from here, and `matching` for names; everything else is loaded in
the child by `boot.py`, under the private name `_nsdbg_child`.
"""
