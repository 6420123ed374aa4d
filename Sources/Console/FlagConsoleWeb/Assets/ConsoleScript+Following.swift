extension ConsoleScript {
  /// The stream of changes, which all windows of a browser share.
  static let following = #"""
    // A browser has few connections to a server, for all its windows. One window that is seen holds the stream of
    // events, and tells the others; a window that is not seen lets go of it.

    const channel = new BroadcastChannel("flags" + feed);
    let turn = null;
    let stream = null;
    let last = null;
    let leaving = 0;

    function announce(message) {
      last = message;
      channel.postMessage(message);
      show(message);
    }

    function show(message) {
      if (hasEnded) return;
      if (message.state === "ended") return endSession();
      setConnection(message.state, message.text);
      if (message.revision && message.revision !== revision && !document.hidden && !leaving) refresh();
    }

    channel.onmessage = ({ data }) => {
      if (data !== "who") return show(data);
      if (stream && last) channel.postMessage(last);
    };

    async function follow() {
      if (turn || hasEnded || document.hidden) return;
      const mine = turn = new AbortController();
      const lead = () => new Promise((done) => {
        if (mine.signal.aborted) return done();
        mine.signal.addEventListener("abort", () => { stream?.close(); stream = null; done(); });
        listen(mine.signal);
      });
      try {
        await (navigator.locks ? navigator.locks.request("flags" + feed, { signal: mine.signal }, lead) : lead());
      } catch (error) {
        if (error.name !== "AbortError") throw error;
      }
    }

    function leave() {
      turn?.abort();
      turn = null;
    }

    function listen(signal) {
      const events = stream = new EventSource(feed);
      events.onopen = () => announce({ state: "live", text: "Live" });
      events.onmessage = (event) => announce({ state: "live", text: "Live", revision: event.data });
      events.onerror = async () => {
        events.close();
        if (signal.aborted) return;
        announce({ state: "lost", text: "Reconnecting" });
        await refresh();
        if (hasEnded) return channel.postMessage({ state: "ended" });
        setTimeout(() => { if (!signal.aborted) listen(signal); }, 1000);
      };
    }

    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return leave();
      follow();
      refresh();
    });
    addEventListener("pagehide", leave);
    // A page that is about to be replaced by the answer to its form does not follow the change that it makes; one that
    // stays, as if loading is stopped, follows again.
    addEventListener("submit", (event) => {
      clearTimeout(leaving);
      leaving = event.defaultPrevented ? 0 : setTimeout(() => { leaving = 0; refresh(); }, 5000);
    });
    addEventListener("pageshow", (event) => {
      clearTimeout(leaving);
      leaving = 0;
      if (event.persisted) { follow(); refresh(); }
    });

    """#
}
