"""Records the demo's bout: scripted contestants solve one small task by really running their commands.

`python -m streams.record` makes a temporary git repository for each contestant, plays their scripts at the same time and
writes what happened as native events. What is real and what is not:

- Every command, edit, test run and commit really happens; output, exit codes, hashes and line counts are what came out.
- Every time is what the clock showed. Nothing is stretched or shifted afterwards.
- What a contestant says, and how long it pauses before each step, is scripted: nobody thinks here. `--pace` divides the
  pauses (and only them); the bout in the repository was recorded at pace 1.
- The temporary folder is written as `/workspace/interval-merge`, the Python installation as `/opt/python`.
"""
