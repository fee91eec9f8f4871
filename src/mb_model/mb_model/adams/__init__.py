"""Models of MSC Adams (.adm files) as mechanisms in space, and what Adams reports of them."""
