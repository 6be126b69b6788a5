"""The web server.

`guard` refuses what is not from the page; `routes` read a request and answer it (`answers`) with what
`studio` holds; `application` joins them, `openapi` describes them.
"""
