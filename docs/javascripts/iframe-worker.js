// Searching on pages that are opened from disk: browsers start no worker from a file there.
// The theme's search asks for `IFrameWorker` to find its languages, and for nothing else of ours.
if (location.protocol === 'file:') {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    #waiting = [];

    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', {data}));
      this.send = (data) => this.#waiting.push(data);
      const script = inside.document.createElement('script');
      script.src = new URL(url, location.href).href;
      script.onload = () => {
        this.send = (data) => inside.dispatchEvent(new inside.MessageEvent('message', {data}));
        this.#waiting.forEach(this.send);
      };
      inside.document.documentElement.append(script);
    }

    postMessage(data) {
      this.send(data);
    }
  };
}
