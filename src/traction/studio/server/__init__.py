"""The web server: `guard` refuses what is not from the page, routes by subject answer, `application` joins them."""
