/** An EventSource that tests speak for. */
export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  static get last(): FakeEventSource {
    return FakeEventSource.all.at(-1) as FakeEventSource;
  }

  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.all.push(this);
  }

  get topics(): string[] {
    return new URL(this.url, 'http://host').searchParams.get('topics')?.split(',') ?? [];
  }

  /** The answer's head has come. */
  connects(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  /** The server listens for this page, and says where the stream begins. */
  opens(): void {
    this.connects();
    this.says('block', { number: 100, timestamp: 1_000 });
  }
  says(name: string, data: unknown, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }
  /** `forGood`: the browser will not try again by itself. */
  breaks(forGood: boolean): void {
    this.readyState = forGood ? 2 : 0;
    this.onerror?.();
  }
  close(): void {
    this.readyState = 2;
  }
}
