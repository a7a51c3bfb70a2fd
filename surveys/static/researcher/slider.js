// The slider's number while it moves. Without this script it appears after the form was sent.

const slider = document.getElementById("id_forged");
slider?.addEventListener("input", () => {
  slider.parentElement.querySelector("output").value = slider.value;
});
