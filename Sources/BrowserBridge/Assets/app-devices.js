// The scan guns and scales that the station reads.

import { get, send } from './app-net.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);

let devices = [];

function line(device) {
    const item = document.createElement('li');
    item.dataset.state = device.status;
    const name = document.createElement('b');
    name.textContent = device.name;
    const facts = [word('devices' + device.status[0].toUpperCase() + device.status.slice(1))];
    if (device.weight) facts.push(device.weight.weight + ' ' + device.weight.unit);
    if (device.kind === 'gun' && device.scans) facts.push(word('codes', device.scans));
    if (device.lastSeen) facts.push(time(device.lastSeen));
    const said = document.createElement('span');
    said.textContent = facts.join(' · ');
    item.append(name, ' ', said);
    if (device.problem) {
        const problem = document.createElement('p');
        problem.className = 'problem';
        problem.textContent = device.problem;
        item.append(problem);
    }
    return item;
}

export function showDevices(message) {
    if (message) devices = message.devices;
    at('devices-box').hidden = !devices.length;
    at('devices').replaceChildren(...devices.map(line));
    at('devices-reconnect').hidden = devices.every((device) => device.status === 'connected');
}

export async function refreshDevices() {
    showDevices(await get('/devices'));
}

export function startDevices(refused) {
    at('devices-reconnect').addEventListener('click', () => {
        send('/devices/reconnect').then(showDevices).catch(refused);
    });
}
