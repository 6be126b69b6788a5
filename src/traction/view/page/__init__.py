"""The report page: one HTML file that holds everything it shows and needs no network.

`document` composes the page; `colours` lets figures follow the reader's light or dark setting. `live` reads
the data of figures and films, in few numbers; from it `page.js`, inlined as `page.css`, draws them with zoom,
hover and a slider. `pictures` holds the static and the live picture of a figure.
"""
