// The slider beside the number of alpha. Only the number counts; figures.js loads its figures.

import { readings } from "../respond/typed.js";

const dial = document.querySelector(".slide");
const number = document.getElementById("alpha");

if (dial) {
  const stops = dial.dataset.stops.split(" ");
  const slider = dial.querySelector("input");

  /** Put the slider at the stop nearest to the number. */
  const follow = () => {
    const alpha = Number(readings(number.value, document.documentElement.lang).at(-1));
    if (!(alpha > 0)) return;
    const away = stops.map((stop) => Math.abs(Math.log(Number(stop) / alpha)));
    slider.value = String(away.indexOf(Math.min(...away)));
    slider.setAttribute("aria-valuetext", number.value);
  };

  slider.max = String(stops.length - 1);
  slider.addEventListener("input", () => {
    number.value = stops[Number(slider.value)];
    slider.setAttribute("aria-valuetext", number.value);
  });
  number.addEventListener("input", follow);
  follow();
  dial.hidden = false;
}
