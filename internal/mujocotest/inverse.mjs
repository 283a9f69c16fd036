// Inverse dynamics by MuJoCo: argument 1 is the folder of node_modules. Standard input is a JSON list of
// {model, states: [{q, dq, ddq}]}; standard output the list of torques by model and state, or its error.
// Constraints are off: limits, loops and dry friction are not of the equations of motion.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const load = (await import(pathToFileURL(require.resolve("@mujoco/mujoco")).href)).default;
const mujoco = await load({ print() {}, printErr() {} });
const out = [];
for (const { model: text, states } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const model = mujoco.MjModel.from_xml_string(text);
    model.opt.disableflags |= 1; // constraints
    const data = new mujoco.MjData(model);
    const torques = [];
    for (const { q, dq, ddq } of states) {
      data.qpos.set(q);
      data.qvel.set(dq);
      data.qacc.set(ddq);
      mujoco.mj_inverse(model, data);
      torques.push(Array.from(data.qfrc_inverse));
    }
    out.push({ torques });
    data.delete();
    model.delete();
  } catch (e) {
    out.push({ error: String(e && e.message || e) });
  }
}
console.log(JSON.stringify(out));
