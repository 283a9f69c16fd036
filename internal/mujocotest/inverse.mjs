// Inverse dynamics by MuJoCo: argument 1 is the folder of node_modules. Standard input is a JSON list of
// {model, states: [{q, dq, ddq}], applied, replay, bodies, equalities}; standard output the list of torques by model and state, and of the
// accelerations under the torques applied, of the path of a replay, of the distances and rates by which equalities are open, or its error.
// Constraints are off: limits, loops and dry friction are not of the equations of motion.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const load = (await import(pathToFileURL(require.resolve("@mujoco/mujoco")).href)).default;
const mujoco = await load({ print() {}, printErr() {} });
const out = [];
for (const { model: text, states, applied, replay, bodies, equalities } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const model = mujoco.MjModel.from_xml_string(text);
    model.opt.disableflags |= 1; // constraints
    for (const [name, v] of Object.entries(bodies || {})) {
      const i = mujoco.mj_name2id(model, 1, name); // mjOBJ_BODY
      if (i < 0) throw new Error("no body " + name);
      model.body_mass[i] = v[0];
      model.body_ipos.set(v.slice(1, 4), 3 * i);
      model.body_iquat.set(v.slice(4, 8), 4 * i);
      model.body_inertia.set(v.slice(8, 11), 3 * i);
    }
    const data = new mujoco.MjData(model);
    const torques = [], accelerations = [], path = [], gaps = [];
    for (const [i, { q, dq, ddq }] of (states || []).entries()) {
      data.qpos.set(q);
      data.qvel.set(dq);
      data.qacc.set(ddq);
      if (equalities) {
        model.opt.disableflags &= ~1;
        mujoco.mj_forward(model, data);
        gaps.push([...Array.from(data.efc_pos).slice(0, data.ne), ...Array.from(data.efc_vel).slice(0, data.ne)]);
        model.opt.disableflags |= 1;
        data.qacc.set(ddq);
      }
      mujoco.mj_inverse(model, data);
      torques.push(Array.from(data.qfrc_inverse));
      if (!applied) continue;
      data.qfrc_applied.set(applied[i]);
      mujoco.mj_forward(model, data);
      accelerations.push(Array.from(data.qacc));
    }
    if (replay) {
      model.opt.integrator = 1; // mjINT_RK4
      model.opt.timestep = replay.step;
      data.qpos.set(replay.q);
      data.qvel.set(replay.dq);
      const advance = tau => {
        data.qfrc_applied.set(tau);
        for (let k = 0; k < replay.steps; k++) mujoco.mj_step(model, data);
        path.push({ q: Array.from(data.qpos), dq: Array.from(data.qvel) });
      };
      for (const tau of replay.torques || []) advance(tau);
      for (const want of replay.follow || []) { // computed torques with a servo
        const w = replay.servo;
        data.qacc.set(want.ddq.map((a, i) => a + w * w * (want.q[i] - data.qpos[i]) + 2 * w * (want.dq[i] - data.qvel[i])));
        mujoco.mj_inverse(model, data);
        torques.push(Array.from(data.qfrc_inverse));
        advance(torques.at(-1));
      }
    }
    out.push({ torques, accelerations, path, gaps });
    data.delete();
    model.delete();
  } catch (e) {
    out.push({ error: String(e && e.message || e) });
  }
}
console.log(JSON.stringify(out));
