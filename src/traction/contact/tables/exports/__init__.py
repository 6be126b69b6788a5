"""Tables for other programs: C source, functional mock-up units, and what a table can write.

`c_source` fills the templates with the numbers of a table, `fmu` compiles them to a unit and describes it;
`table_exports` has the methods of users.
"""
