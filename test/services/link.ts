import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

type State = "open" | "cut" | "held" | "deaf";

interface Connection {
  readonly client: Socket;
  readonly onward: Socket;
  /** Stays open and carries nothing more. */
  dead: boolean;
}

/** The network between a client and a server of this machine: it carries bytes both ways, until a test says otherwise. */
export class Link {
  readonly port: number;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #target: number;
  #state: State = "open";
  #deafenAt: string | null = null;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (client) => this.#accept(client));
  }

  /** A port that leads to the server on this other port. */
  static async to(target: number): Promise<Link> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Link(server, target);
  }

  /** Resets all connections, and each new one at once. */
  cut(): void {
    this.#state = "cut";
    this.#resetAll();
  }

  /** Holds all bytes back, both ways, with connections open and new ones taken. `mend` delivers them late. */
  hold(): void {
    this.#state = "held";
    for (const { client, onward } of this.#connections) for (const socket of [client, onward]) socket.pause();
  }

  /** Carries what is asked and loses what is answered. `mend` resets the connections. */
  deafen(): void {
    this.#state = "deaf";
  }

  /** The same from the next request on that holds these words: it is done, and nobody learns of it. */
  deafenAt(words: string): void {
    this.#deafenAt = words;
  }

  get deaf(): boolean {
    return this.#state === "deaf";
  }

  /** The connections of now stay open and carry nothing, for good; new ones are served. */
  abandon(): void {
    for (const connection of this.#connections) connection.dead = true;
    this.#state = "open";
  }

  mend(): void {
    if (this.#state === "deaf") this.#resetAll();
    this.#deafenAt = null;
    this.#state = "open";
    for (const { client, onward } of this.#connections) for (const socket of [client, onward]) socket.resume();
  }

  close(): void {
    this.#resetAll();
    this.#server.close();
  }

  #accept(client: Socket): void {
    client.on("error", () => undefined);
    if (this.#state === "cut") {
      client.resetAndDestroy();
      return;
    }
    const onward = connect(this.#target, "127.0.0.1").on("error", () => undefined);
    const connection: Connection = { client, onward, dead: false };
    this.#connections.add(connection);
    client.on("data", (chunk) => {
      if (this.#deafenAt !== null && chunk.includes(this.#deafenAt)) this.deafen();
      if (!connection.dead) onward.write(chunk);
    });
    onward.on("data", (chunk) => {
      if (!connection.dead && this.#state !== "deaf") client.write(chunk);
    });
    client.on("close", () => {
      this.#connections.delete(connection);
      onward.destroy();
    });
    onward.on("close", () => client.destroy());
    if (this.#state === "held") for (const socket of [client, onward]) socket.pause();
  }

  #resetAll(): void {
    for (const { client } of this.#connections) client.resetAndDestroy();
  }
}
