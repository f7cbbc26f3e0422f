# bulk_copies_too_soon - a stage is filled while slower threads still need it: a planted fault. The suite must reject it.
/nobody needs k - 1/d
