// The guided tour: three minutes, from a case to its results and to the drags.

/** `at` is the page (a start of its address), `mark` what is pointed at, `next` what the button does besides. */
export const STEPS = [
  {
    at: "",
    mark: '[data-tour="cases"] .tiles',
    title: "Cases",
    words:
      "Each picture is a complete case: bodies pressed together, wheels that roll, balls that bounce, trains on bridges. Choose one, or start a new one below. The tour uses the steel ball on a plate.",
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="form"] fieldset',
    title: "The form",
    words:
      'Every value can be changed, with any unit: try "20 mm" or "2 cm". The arrow keys step a number. An invalid value is explained at its field while you type. Rarely needed settings are folded.',
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="texts"]',
    title: "The same case as text",
    words:
      "The scenario file and the equivalent Python code are updated as you type. The file can be edited here too; the form follows it.",
  },
  {
    at: "case/ball-on-plate",
    mark: '[data-tour="run"]',
    title: "Run it",
    words: "Each run has its own process and continues when you close or reload the page. The button starts this one.",
    next: "run",
  },
  {
    at: "run/",
    mark: '[data-tour="figures"]',
    title: "Results",
    words:
      "The key figures come first. During a longer run, its progress, phase and time left are shown here, with a button to stop it.",
  },
  {
    at: "run/",
    mark: ".panel.map, .panel",
    title: "The pressure",
    words:
      "Point at the map: the sections below and beside it follow. 3-D shows it as a surface that you can rotate. Maps with friction show arrows, stick and slip.",
  },
  {
    at: "run/",
    mark: '[data-tour="slider"]',
    title: "One slider for all",
    words:
      "The slider moves through loads, time or distance, and every view follows. Play animates it. In curves: drag to zoom, click to go to a sample.",
  },
  {
    at: "run/",
    mark: '[data-tour="take"]',
    title: "Download",
    words: 'Report, figures, netCDF, CSV and MATLAB files. Two runs can be compared side by side: "Compare" at the top.',
  },
  {
    at: "drag/rolling",
    mark: '[data-tour="drag"]',
    title: "Drag it",
    words:
      "No run is needed here: drag the handle, and the tractions under a rolling wheel follow. Blue sticks, yellow slips. Where everything slips, the force has reached the friction limit.",
  },
  {
    at: "drag/train",
    mark: '[data-tour="drag"]',
    title: "Drive a train",
    words:
      "Drag the speed: where axles pass at a natural frequency of the bridge, the response grows. This is the end of the tour. Everything also works with the keyboard.",
  },
];
