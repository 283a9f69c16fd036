// A robot under a PD law with compensation of gravity in MuJoCo: argument 1 is the folder of
// node_modules, 2 the model, 3 the seconds; prints the CPU seconds and the last positions as JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const load = (await import(pathToFileURL(require.resolve("@mujoco/mujoco")).href)).default;
const mujoco = await load();
const model = mujoco.MjModel.from_xml_string(readFileSync(process.argv[3], "utf8"));
const data = new mujoco.MjData(model);
const n = model.nv, steps = Math.round(Number(process.argv[4]) * 1000);
function run(steps) {
  for (let k = 0; k < steps; k++) {
    const t = k * 1e-3;
    mujoco.mj_step1(model, data); // positions, velocities and bias of this instant
    const q = data.qpos, dq = data.qvel, bias = data.qfrc_bias, tau = data.qfrc_applied;
    for (let i = 0; i < n; i++) {
      const w = 2 + i;
      let s = Math.sin(w * t), c = Math.cos(w * t);
      if (s < 0) s = c = 0;
      tau[i] = 400 * (s * s * s - q[i]) + 40 * (3 * s * s * c * w - dq[i]) + bias[i];
    }
    mujoco.mj_step2(model, data);
  }
}
run(200); // until the code is compiled
mujoco.mj_resetData(model, data);
const before = process.cpuUsage();
run(steps);
const used = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (used.user + used.system) / 1e6, q: Array.from(data.qpos), version: mujoco.mj_versionString ? mujoco.mj_versionString() : "" }));
