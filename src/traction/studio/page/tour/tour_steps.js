// The guided tour: three minutes, from a case to its pictures and to things that are dragged.

/** `at` is the page (a start of its address), `mark` what is pointed at, `next` what the button does besides. */
export const STEPS = [
  {
    at: "",
    mark: '[data-tour="cases"] .tiles',
    title: "Cases",
    words:
      "Each picture is a complete case: bodies pressed together, wheels that roll, balls that bounce, trains on bridges. Choose one, or begin from scratch below. We take the steel ball on a plate.",
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="form"] fieldset',
    title: "The form",
    words:
      'Every value can be changed, with any unit: try "20 mm" or "2 cm". The arrow keys step a number. A value that cannot be is explained at its field while you type. Rarely needed settings are folded away.',
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="texts"]',
    title: "The same case as text",
    words:
      "The file behind the form, and the Python lines that do the same, follow as you type. The file may be edited here too; the form follows it.",
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="run"]',
    title: "Run it",
    words: "Runs go on in processes of their own: close the page, reload it, come back later. Next starts this one.",
    next: "run",
  },
  {
    at: "run/",
    mark: '[data-tour="figures"]',
    title: "What came out",
    words:
      "The key figures first. While a longer run is going, its progress, phase and time left stand here, with a button to stop it.",
  },
  {
    at: "run/",
    mark: ".panel.map, .panel",
    title: "The pressure",
    words:
      "Point at the map: the sections below and beside follow. 3-D shows it as a surface that you can turn. Maps with friction show arrows, stick and slip.",
  },
  {
    at: "run/",
    mark: '[data-tour="slider"]',
    title: "One slider for all",
    words:
      "The slider moves through loads, time or distance, and every view follows. Play makes it a film. In curves: drag to zoom, click to go there.",
  },
  {
    at: "run/",
    mark: '[data-tour="take"]',
    title: "Take it away",
    words: 'The report, figures, netCDF, CSV and MATLAB files. Two runs can be compared side by side: "Compare" at the top.',
  },
  {
    at: "drag/rolling",
    mark: '[data-tour="drag"]',
    title: "Drag it",
    words:
      "Here nothing is run: drag the handle, and the tractions under a rolling wheel follow at once. Blue sticks, yellow slips. Where all of it slips, the force has reached the friction bound.",
  },
  {
    at: "drag/train",
    mark: '[data-tour="drag"]',
    title: "Drive a train",
    words:
      "Drag the speed: where axles pass with a period of the bridge, the response grows. That was the tour. Everything works from the keyboard too, in light and dark.",
  },
];
