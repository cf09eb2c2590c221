/** The hub on the channel of all tabs. */
import { Hub } from './hub';
import { CHANNEL, type FromHub, type ToHub } from './protocol';

/** Run a hub until `ended`: by default, as long as this script lives. */
export async function runHub(ended: Promise<void> = new Promise(() => {})): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  const hub = new Hub((message) => channel.postMessage(message));
  channel.onmessage = ({ data }: MessageEvent<ToHub | FromHub>) => {
    if (data.to === 'hub') hub.receive(data);
  };
  await ended;
  hub.close();
  channel.close();
}
