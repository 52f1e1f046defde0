import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands in a text that no model may see. */
export const BACKEND_WORDS = "hunter2-is-the-password";

/** How a backend answers. `down` ends connections and takes no new ones; `huge` is well formed and beyond every cap. */
export type Behaviour = "well" | "down" | "slow" | "huge" | "garbage" | "foreign" | "torn";

/** A log service over HTTP that can be made to misbehave at any moment, also while it is asked. */
export class Backend {
  readonly port: number;
  /** Runs when a request has arrived and before it is answered. */
  asked: () => Promise<void> = async () => undefined;
  readonly #server: Server;
  #behaviour: Behaviour = "well";

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("request", (request, response) => void this.#answer(String(request.url).slice(1), response));
  }

  static async start(): Promise<Backend> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Backend(server);
  }

  async behave(behaviour: Behaviour): Promise<void> {
    const before = this.#behaviour;
    this.#behaviour = behaviour;
    if (behaviour === "down") await this.close();
    else if (before === "down") await once(this.#server.listen(this.port, "127.0.0.1"), "listening");
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(service: string, response: ServerResponse): Promise<void> {
    await this.asked();
    const good = JSON.stringify({ lines: [`pool timed out in ${service}`] });
    const answers: Readonly<Record<Behaviour, () => void>> = {
      well: () => response.end(good),
      down: () => response.destroy(),
      slow: () => response.write(good.slice(0, 10)),
      huge: () =>
        response.end(JSON.stringify({ lines: Array.from({ length: 2_000 }, () => BACKEND_WORDS.repeat(10)) })),
      garbage: () => response.end(`<html>\u0000 ${BACKEND_WORDS}`),
      foreign: () => response.end(JSON.stringify({ error: BACKEND_WORDS })),
      torn: () => {
        response.writeHead(200, { "content-length": String(good.length) });
        response.write(good.slice(0, 10), () => response.destroy());
      },
    };
    answers[this.#behaviour]();
  }
}
