// From new data to the picture: until the browser has painted the frame that shows it.

/** Resolves once the frame that is being prepared is on the screen. */
export const painted = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0); // runs after the frame is painted
    });
  });

/** Milliseconds of each of `count` pictures that `draw(turn)` makes, one after the other. */
export async function time(draw, count) {
  const taken = [];
  for (let n = 0; n < count; n += 1) {
    await painted();
    const began = performance.now();
    await draw(0.1 * n);
    await painted();
    taken.push(performance.now() - began);
  }
  return taken;
}
