// The torques of a fit: filtered or as logged, by the identified parameters or by those of the robot file.
curves.then(view => {
  const choose = (id, then) => byId(id)?.addEventListener('change', e => { then(e.target.value); view.soon(); });
  choose('which-measured', v => { view.as.measured = v; });
  choose('which-predicted', v => { Object.assign(view.as, { predicted: v, residual: v === 'file' ? 'fileResidual' : 'residual' }); });
});
