/* Give an account without a time zone this browser's. This page stays in UTC and names that, because a user may be
   typing; the next page uses the zone. */

import { send } from "./requests.js";

const form = document.getElementById("zone");
form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
send(form);
