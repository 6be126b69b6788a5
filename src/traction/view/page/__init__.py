"""The report page: one HTML file that holds everything it shows and needs no network.

`document` composes the page; `themed` draws figures that follow the reader's light or dark setting, for which
`colours` chooses variants. `live` reads the data of figures and films, `artists` one artist, `decimation` and
`images` make it small; from it `page.js`, inlined as `page.css`, draws them with zoom, hover and a
slider. `pictures` holds the static and the live picture of a figure.
"""
