/* Give the account the time zone of this browser, since it has none yet. This page, on which a user may be typing, stays
   in UTC and says so; the next one is in that zone. */

import { send } from "./requests.js";

const form = document.getElementById("zone");
form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
send(form);
