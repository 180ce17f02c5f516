"""What the project costs, as ratios in interleaved runs: `tox -e bench`.

Absolute times move by a third from run to run on most machines, so nothing here is
judged by them. Every figure that decides is a ratio of two things measured in the same
run, turn by turn: bare Python, the same code undecorated, msgspec, pydantic.
"""
