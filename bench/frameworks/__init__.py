"""Other frameworks and heed behind one interface, for cases of the benchmark set.

Every module but these few has `ways(problem)`: by a label each way in which the framework can compute the problem, as a
function that prepares it and gives a `Way`. Preparing may raise `Lacks`, in words for a reader of the table.
"""
