# hang early: 1 of 1 arrival missing
# bulk_copies_too_soon - a stage is filled while slower threads still need it
/nobody needs k - 1/d
