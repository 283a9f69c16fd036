package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Page is one tab.
type Page struct {
	t        testing.TB
	b        *Browser
	session  string
	target   string
	complete chan struct{}
	problems []string // errors and warnings of the console, exceptions
	requests []string // beyond the document itself
	address  string
	worlds   []int // of scripts, one for each frame
	world    int   // in which scripts are evaluated; 0 for the page's
}

// Open opens an address in a window of width × height CSS pixels and waits until the page is loaded. The
// tab closes at the end of the test.
func (b *Browser) Open(t testing.TB, address string, width, height int) *Page {
	t.Helper()
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.must(t, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.must(t, "", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &Page{t: t, b: b, session: attached.SessionID, target: target.TargetID, complete: make(chan struct{}, 8), address: address}
	b.lock.Lock()
	b.page[p.session] = p
	b.lock.Unlock()
	t.Cleanup(func() { _, _ = b.call("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}) })
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.must(domain+".enable", nil, nil)
	}
	p.Resize(width, height)
	p.must("Page.navigate", map[string]any{"url": address}, nil)
	<-p.complete
	return p
}

// event takes a page's event; the browser's lock is held.
func (p *Page) event(m message) {
	switch m.Method {
	case "Page.loadEventFired":
		select {
		case p.complete <- struct{}{}:
		default:
		}
	case "Runtime.exceptionThrown", "Log.entryAdded":
		p.problems = append(p.problems, string(m.Params))
	case "Runtime.consoleAPICalled":
		var call struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(m.Params, &call) == nil && (call.Type == "error" || call.Type == "warning" || call.Type == "assert") {
			p.problems = append(p.problems, string(m.Params))
		}
	case "Runtime.executionContextCreated":
		var made struct {
			Context struct {
				ID int `json:"id"`
			} `json:"context"`
		}
		if json.Unmarshal(m.Params, &made) == nil {
			p.worlds = append(p.worlds, made.Context.ID)
		}
	case "Network.requestWillBeSent":
		var sent struct {
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		if json.Unmarshal(m.Params, &sent) == nil && sent.Request.URL != p.address && !strings.HasPrefix(sent.Request.URL, "data:") {
			p.requests = append(p.requests, sent.Request.URL)
		}
	}
}

// Problems lists errors and warnings of the console, and exceptions.
func (p *Page) Problems() []string {
	p.b.lock.Lock()
	defer p.b.lock.Unlock()
	return append([]string(nil), p.problems...)
}

// Requests lists the addresses that the page asked for, itself and data: excepted.
func (p *Page) Requests() []string {
	p.b.lock.Lock()
	defer p.b.lock.Unlock()
	return append([]string(nil), p.requests...)
}

// Resize sets the window's size in CSS pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Prefer sets the media type ("screen" or "print") and the colour scheme ("light" or "dark").
func (p *Page) Prefer(media, scheme string) {
	p.t.Helper()
	p.must("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Eval evaluates a JavaScript expression, awaits it where it is a promise, and decodes its value into out,
// which may be nil.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	var got struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	asked := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}
	if p.world != 0 {
		asked["contextId"] = p.world
	}
	p.must("Runtime.evaluate", asked, &got)
	if e := got.Exception; e != nil {
		p.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, out); err != nil {
		p.t.Fatalf("%s is %s: %v", expression, got.Result.Value, err)
	}
}

// Inside returns the frame of any page, also one of another origin, in which a condition is true; nil if there is none now.
func (p *Page) Inside(condition string) *Page {
	p.t.Helper()
	var all struct {
		Targets []struct {
			ID   string `json:"targetId"`
			Type string `json:"type"`
		} `json:"targetInfos"`
	}
	p.b.must(p.t, "", "Target.getTargets", map[string]any{"filter": []map[string]any{{}}}, &all)
	for _, target := range all.Targets {
		if target.Type != "iframe" {
			continue
		}
		var attached struct {
			Session string `json:"sessionId"`
		}
		p.b.must(p.t, "", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
		frame := &Page{t: p.t, b: p.b, session: attached.Session, target: target.ID}
		p.b.lock.Lock()
		p.b.page[frame.session] = frame
		p.b.lock.Unlock()
		frame.must("Runtime.enable", nil, nil)
		p.b.lock.Lock()
		worlds := frame.worlds
		p.b.lock.Unlock()
		for _, world := range worlds {
			var got struct {
				Result struct {
					Value any `json:"value"`
				} `json:"result"`
			}
			text, err := p.b.call(frame.session, "Runtime.evaluate", map[string]any{"expression": condition, "returnByValue": true, "contextId": world})
			if err == nil && json.Unmarshal(text, &got) == nil && got.Result.Value == true {
				frame.world = world
				return frame
			}
		}
		_, _ = p.b.call("", "Target.detachFromTarget", map[string]any{"sessionId": frame.session})
	}
	return nil
}

// Truth fails the test where a JavaScript expression is not true within ten seconds.
func (p *Page) Truth(about, condition string) {
	p.t.Helper()
	var ok bool
	p.Eval(fmt.Sprintf(`(async()=>{for(let i=0;i<200;i++){if(%[1]s)return true;await new Promise(r=>setTimeout(r,50))}return false})()`, condition), &ok)
	if !ok {
		p.t.Errorf("%s: not so: %s", about, condition)
	}
}

// Files chooses files of the disk in an input for files.
func (p *Page) Files(selector string, paths ...string) {
	p.t.Helper()
	var document struct {
		Root struct {
			NodeID int `json:"nodeId"`
		} `json:"root"`
	}
	p.must("DOM.getDocument", nil, &document)
	var input struct {
		NodeID int `json:"nodeId"`
	}
	p.must("DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": selector}, &input)
	p.must("DOM.setFileInputFiles", map[string]any{"nodeId": input.NodeID, "files": paths}, nil)
}

// Downloads has the browser write what pages save into a folder, by the names that they give.
func (p *Page) Downloads(folder string) {
	p.t.Helper()
	p.b.must(p.t, "", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": folder}, nil)
}

// Close closes the tab, whatever it is doing.
func (p *Page) Close() {
	p.t.Helper()
	p.b.must(p.t, "", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
}

// Mouse sends a mouse event: mouseMoved, mousePressed, mouseReleased, or mouseWheel with its turn in pixels.
func (p *Page) Mouse(kind string, x, y, wheel float64) {
	p.t.Helper()
	e := map[string]any{"type": kind, "x": x, "y": y}
	switch kind {
	case "mouseWheel":
		e["deltaX"], e["deltaY"] = 0, wheel
	case "mousePressed", "mouseReleased":
		e["button"], e["buttons"], e["clickCount"] = "left", 1, 1
	case "mouseMoved":
		e["buttons"] = 0
	}
	p.must("Input.dispatchMouseEvent", e, nil)
}

// Drag presses at one point, moves to another and releases.
func (p *Page) Drag(x0, y0, x1, y1 float64) {
	p.t.Helper()
	p.Mouse("mousePressed", x0, y0, 0)
	for i := 1; i <= 4; i++ {
		f := float64(i) / 4
		p.must("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x0 + f*(x1-x0), "y": y0 + f*(y1-y0), "button": "left", "buttons": 1}, nil)
	}
	p.Mouse("mouseReleased", x1, y1, 0)
}

// Touch sends touch points (touchStart, touchMove, touchEnd).
func (p *Page) Touch(kind string, points ...[2]float64) {
	p.t.Helper()
	list := []map[string]float64{}
	for i, at := range points {
		list = append(list, map[string]float64{"x": at[0], "y": at[1], "id": float64(i)})
	}
	p.must("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": list}, nil)
}

// Key presses and releases a key, named as in KeyboardEvent.key.
func (p *Page) Key(name string) {
	p.t.Helper()
	e := map[string]any{"type": "keyDown", "key": name, "code": name}
	if len(name) == 1 {
		e["text"] = name
	}
	if name == "Enter" {
		e["text"], e["windowsVirtualKeyCode"] = "\r", 13
	}
	if name == "Tab" {
		e["windowsVirtualKeyCode"] = 9
	}
	p.must("Input.dispatchKeyEvent", e, nil)
	p.must("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name, "code": name}, nil)
}

// Screenshot returns the window as a PNG, or the whole page.
func (p *Page) Screenshot(whole bool) []byte {
	p.t.Helper()
	var got struct {
		Data []byte `json:"data"`
	}
	p.must("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &got)
	return got.Data
}

// PDF returns the page printed on A4.
func (p *Page) PDF() []byte {
	p.t.Helper()
	var got struct {
		Data []byte `json:"data"`
	}
	p.must("Page.printToPDF", map[string]any{"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": false}, &got)
	return got.Data
}

func (p *Page) must(method string, params, out any) {
	p.t.Helper()
	p.b.must(p.t, p.session, method, params, out)
}

func (b *Browser) must(t testing.TB, session, method string, params, out any) {
	t.Helper()
	got, err := b.call(session, method, params)
	if err == nil && out != nil {
		err = json.Unmarshal(got, out)
	}
	if err != nil {
		t.Fatal(err)
	}
}
