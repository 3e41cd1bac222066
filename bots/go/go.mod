module poker

go 1.18
