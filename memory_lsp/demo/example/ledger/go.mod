module example.org/parcel/ledger

go 1.22
