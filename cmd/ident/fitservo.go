package main

import "github.com/spf13/cobra"

func (f *flags) servoFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.p.Controller, "controller", "", "the joints' controllers: \"cascade kp=… kv=… gain=…\" or \"pd kp=… kd=… gain=…\", with limit=…, one value or one a joint; gain is torque a control unit")
	fl.StringVar(&f.reference, "reference", "", "channels of the controller's reference positions, one a joint, comma-separated")
}
