// Keeps the last answers of samples, so that a slider that goes to and fro asks once.

const MOST = 80;

export function remembered(ask) {
  const known = new Map(),
    given = async (sample) => {
      if (known.has(sample)) return known.get(sample);
      const answer = await ask(sample);
      given.keep(sample, answer);
      return answer;
    };
  given.keep = (sample, answer, most = MOST) => {
    known.set(sample, answer);
    if (known.size > most) known.delete(known.keys().next().value);
  };
  return given;
}
