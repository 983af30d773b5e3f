"""What a network is taught: for each transition of a recorded run, the answer that tells of it.

The codec's `plain` reads the answer off the statement at hand; `compose` joins the statements of a
longer way; `literally` spells what was seen.  Every lesson is checked: evaluated over the state
before, it gives the state that was recorded.
"""
