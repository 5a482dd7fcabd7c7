// Search on pages that are opened from a disk. Browsers start no workers there, so the search runs in
// a hidden frame that behaves like one. On a server the browser's own workers are used.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #ready;

    constructor(url) {
      super();
      this.#ready = this.#start(url);
    }

    async #start(url) {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      const script = frame.contentDocument.createElement("script");
      script.src = new URL(url, location.href).href;
      const loaded = new Promise((done, failed) => {
        script.onload = done;
        script.onerror = failed;
      });
      frame.contentDocument.head.append(script);
      await loaded;
      return inside;
    }

    async postMessage(data) {
      const inside = await this.#ready;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }
  };
}
