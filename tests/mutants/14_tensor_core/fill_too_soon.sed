# fill_too_soon - copies into the stage that is multiplied: a planted fault. The suite must reject it.
s/stages + fill \* STAGE/stages + use * STAGE/
