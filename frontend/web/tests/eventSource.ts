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

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  says(name: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
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
