// The number that the slider stands at, while it moves. Without this it is said once the form was sent.

const slider = document.getElementById("id_forged");
slider?.addEventListener("input", () => {
  slider.parentElement.querySelector("output").value = slider.value;
});
