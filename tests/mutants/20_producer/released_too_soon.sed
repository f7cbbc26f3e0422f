# released_too_soon - a stage is free while its products run: a planted fault. The suite must reject it.
s/wait_for_products<1>();/wait_for_products<2>();/
