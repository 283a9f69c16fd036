// ask asks the laboratory, in whose frame the page is. Answers are taken from it alone.
const waiting = new Map();
let requests = 0;
addEventListener('message', ({ source, data }) => {
  const reply = source === top && waiting.get(data.answer);
  if (!reply) return;
  waiting.delete(data.answer);
  if (data.ok) reply.resolve(JSON.parse(data.text)); else reply.reject(new Error(data.text));
});
function ask(path, body) {
  const [name, since] = path.split('?since=');
  return new Promise((resolve, reject) => {
    waiting.set(++requests, { resolve, reject });
    top.postMessage({ ask: requests, name, value: body === undefined ? since ?? '' : JSON.stringify(body) }, '*');
  });
}
