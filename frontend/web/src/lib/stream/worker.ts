/** A SharedWorker that holds the connection for every tab of this browser. */
import { runHub } from './channel';

void runHub();
