"""Plays Bluetooth LE devices to the kernel's hci_vhci: a scan gun, a gun that is a keyboard, a scale, a heart rate sensor,
and a scale that advertises what it weighs.

usage: play_bluetooth.py

They are virtual devices of bumble, at one virtual link with a virtual controller, which the kernel takes for real. What
they do is read from standard input, a command a line; what has been done is said on standard output.

    gun TEXT        scans: the text and CR, in pieces as its connection takes them, once somebody listens
    part TEXT       as gun without the end
    type TEXT       the gun that is a keyboard types the text and Enter: a to z, digits, and the hyphen
    lose            the gun's connection breaks
    lose-typer      that of the gun that is a keyboard
    unplug, plug    the computer's adapter is pulled out, and comes back
    off, on         all that are connected are switched off, and on
    weigh N         the scale weighs N steps of 5 g
    beat N          the sensor measures a heart rate
    show N          the advertising scale shows N hundredths of a kilogram
"""
import asyncio
import os
import struct
import sys

from bumble import hci, ll
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, Descriptor, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.pairing import PairingConfig
from bumble.transport import open_transport

PIECE = 20
# The shortest time between two events of a connection (Bluetooth Core Specification 5.4, volume 6, part B, 4.5.1).
INTERVAL = 0.0075


class Link(LocalLink):
    """A link by the addresses of its connections: the kernel gives its controller another random address for each search,
    and LocalLink takes that for the sender's.
    """

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            asyncio.get_running_loop().call_soon(
                receiver.on_link_acl_data, connection.self_address, transport, data)


class AdapterController(Controller):
    """A controller that does what its features promise the kernel. Controller reports a connection by an event that the
    kernel does not wait for, as it knows the longer one, so that nothing else is done for the 20 seconds of an attempt;
    it leaves one that was called off pending, and allows no other meanwhile; and it keeps connections beyond a reset.
    """

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_LE_Connection_Complete_Event):
            packet = hci.HCI_LE_Enhanced_Connection_Complete_Event(
                status=packet.status, connection_handle=packet.connection_handle, role=packet.role,
                peer_address_type=packet.peer_address_type, peer_address=packet.peer_address,
                local_resolvable_private_address=Address.ANY_RANDOM, peer_resolvable_private_address=Address.ANY_RANDOM,
                connection_interval=packet.connection_interval, peripheral_latency=packet.peripheral_latency,
                supervision_timeout=packet.supervision_timeout, central_clock_accuracy=packet.central_clock_accuracy)
        super().send_hci_packet(packet)

    def on_hci_le_create_connection_cancel_command(self, _command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        # The event comes after the answer (Bluetooth Core Specification 5.4, volume 4, part E, 7.8.13).
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0,
                role=hci.Role.CENTRAL, peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address, connection_interval=0, peripheral_latency=0, supervision_timeout=0,
                central_clock_accuracy=0))
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_reset_command(self, command):
        self.pending_le_connection = None
        self.le_scan_enable = False
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(
                ll.TerminateInd(hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR))
        self.le_connections.clear()
        return super().on_hci_reset_command(command)


class Player:
    """A device with one characteristic that notifies, and a battery."""

    appearance = 0

    def __init__(self, link, name, address, service, characteristic, more=(), descriptors=()):
        self.name = name
        self.address = address
        self.listeners = asyncio.Event()
        self.is_on = True
        self.value = Characteristic(
            UUID(characteristic), Characteristic.Properties.READ | Characteristic.Properties.NOTIFY,
            Characteristic.READABLE, bytes(8), descriptors)
        self.value.on("subscription", self.subscribed)
        battery = Characteristic(
            UUID("2A19"), Characteristic.Properties.READ | Characteristic.Properties.NOTIFY, Characteristic.READABLE,
            bytes([73]))
        host = Host()
        host.controller = Controller(name, link=link)
        self.device = Device(name=name, address=Address(address), host=host)
        self.device.add_services([Service(UUID(service), [*more, self.value]), Service(UUID("180F"), [battery])])
        self.device.on("connection", self.connected)
        self.connection = None

    def connected(self, connection):
        self.connection = connection
        connection.on("disconnection", self.disconnected)

    def disconnected(self, _reason):
        self.connection = None
        self.listeners.clear()
        if self.is_on:
            asyncio.get_running_loop().create_task(self.advertise())

    def subscribed(self, _bearer, notifies, _indicates):
        if notifies:
            self.listeners.set()
        else:
            self.listeners.clear()

    async def begin(self):
        await self.device.power_on()
        await self.advertise()

    async def advertise(self):
        await self.device.start_advertising(
            advertising_data=bytes(AdvertisingData([
                (AdvertisingData.FLAGS, bytes([6])), (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()),
                (AdvertisingData.APPEARANCE, struct.pack("<H", self.appearance)),
            ])),
            advertising_interval_min=100, advertising_interval_max=100)

    async def notify(self, value):
        await self.listeners.wait()
        await self.device.notify_subscribers(self.value, value)

    async def lose(self):
        if self.connection:
            await self.connection.disconnect()


class Typer(Player):
    """A gun that is a keyboard: HID over GATT, which computers take from devices that are paired."""

    appearance = 0x03C1
    # Report 1: Control, Shift and so on as a byte of bits, one that is kept free, and six keys that are held.
    REPORT_MAP = bytes.fromhex(
        "05010906a1018501050719e029e71500250175019508810295017508810195067508150025650507190029658100c0")
    HYPHEN, ENTER = 0x2D, 0x28
    is_known = False

    def __init__(self, link, name, address):
        reading = Characteristic.Properties.READ
        writing = Characteristic.Properties.WRITE_WITHOUT_RESPONSE
        both = Characteristic.READABLE | Characteristic.WRITEABLE
        # By the HID Service Specification 1.0: protocol mode, information, control point, and what the reports hold.
        more = [
            Characteristic(UUID("2A4E"), reading | writing, both, bytes([1])),
            Characteristic(UUID("2A4A"), reading, Characteristic.READABLE, bytes([0x11, 1, 0, 3])),
            Characteristic(UUID("2A4C"), writing, Characteristic.WRITEABLE, bytes([0])),
            Characteristic(UUID("2A4B"), reading, Characteristic.READABLE, self.REPORT_MAP),
        ]
        reference = Descriptor(UUID("2908"), Descriptor.READABLE, bytes([1, 1]))
        super().__init__(link, name, address, "1812", "2A4D", more, [reference])
        self.device.pairing_config_factory = lambda _: PairingConfig(sc=True, mitm=False, bonding=True)

    def connected(self, connection):
        super().connected(connection)
        connection.on("connection_encryption_change", self.secured)

    def subscribed(self, bearer, notifies, indicates):
        self.is_known = True
        super().subscribed(bearer, notifies, indicates)

    def secured(self):
        # Who is paired subscribes once, for all connections.
        if self.is_known and self.connection.is_encrypted:
            self.listeners.set()

    async def notify(self, value):
        await self.listeners.wait()
        await self.device.notify_subscriber(self.connection, self.value, value, force=True)

    def usage(self, character):
        if character == "-":
            return self.HYPHEN
        return 0x1E + (int(character) - 1) % 10 if character.isdigit() else 4 + ord(character) - ord("a")

    async def type(self, text):
        for usage in [*map(self.usage, text), self.ENTER]:
            for report in (bytes([0, 0, usage, 0, 0, 0, 0, 0]), bytes(8)):
                await self.notify(report)
                await asyncio.sleep(INTERVAL)


class Shower:
    """A scale that advertises what it weighs, and takes no connection."""

    def __init__(self, link, address):
        host = Host()
        host.controller = Controller("shower", link=link)
        self.device = Device(name="shower", address=Address(address), host=host)

    async def show(self, number):
        await self.device.stop_advertising()
        data = struct.pack("<H", 0x0059) + bytes.fromhex("c0ffee") + struct.pack(">H", number)
        await self.device.start_advertising(
            advertising_data=bytes(AdvertisingData([(AdvertisingData.MANUFACTURER_SPECIFIC_DATA, data)])),
            advertising_interval_min=200, advertising_interval_max=200)


def say(text):
    print(text, flush=True)


class Adapter:
    """The computer's adapter, which is the kernel's as long as it is plugged."""

    def __init__(self, link):
        self.link = link

    async def plug(self):
        self.transport = await open_transport("vhci")
        self.controller = AdapterController(
            "host", host_source=self.transport.source, host_sink=self.transport.sink, link=self.link,
            public_address="F0:F1:F2:F3:F4:F5")

    async def unplug(self, players):
        self.controller.host = None
        await self.transport.close()
        # They notice it by themselves, as nothing comes any more.
        for player in players:
            await player.lose()
        self.link.remove_controller(self.controller)


async def main():
    link = Link()
    adapter = Adapter(link)
    await adapter.plug()
    gun = Player(
        link, "VM gun", "C0:11:22:33:44:01", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
        "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    scale = Player(link, "VM scale", "C0:11:22:33:44:02", "181D", "2A9D")
    strap = Player(link, "VM strap", "C0:11:22:33:44:03", "180D", "2A37")
    shower = Shower(link, "C0:11:22:33:44:04")
    typer = Typer(link, "VM typer", "C0:11:22:33:44:05")
    players = (gun, scale, strap, typer)
    for player in players:
        await player.begin()
    await shower.device.power_on()
    say("ready")
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(0, "rb", buffering=0))
    count = 0
    while line := await reader.readline():
        command, _, rest = line.decode().rstrip("\n").partition(" ")
        if command in ("gun", "part"):
            data = rest.encode() + (b"\r" if command == "gun" else b"")
            while data:
                await gun.notify(data[:PIECE])
                data = data[PIECE:]
        elif command == "type":
            await typer.type(rest)
        elif command == "lose":
            await gun.lose()
        elif command == "lose-typer":
            await typer.lose()
        elif command == "unplug":
            await adapter.unplug(players)
        elif command == "plug":
            await adapter.plug()
        elif command == "off":
            for player in players:
                player.is_on = False
                await player.lose()
                await player.device.stop_advertising()
        elif command == "on":
            for player in players:
                player.is_on = True
                await player.advertise()
        elif command == "weigh":
            await scale.notify(struct.pack("<BH", 0, int(rest)))
        elif command == "beat":
            await strap.notify(struct.pack("<BB", 0, int(rest)))
        elif command == "show":
            await shower.show(int(rest))
        else:
            sys.exit(f"play_bluetooth: {command} is unknown")
        count += 1
        say(f"did {count}")


asyncio.run(main())
